! expects n = 2
MODULE windows_ends
	VAR num n;
	PROC main()
		n := 2; ! tab
	ENDPROC
ENDMODULE
