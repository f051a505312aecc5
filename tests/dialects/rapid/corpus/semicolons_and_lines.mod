! expects n = 10
MODULE lines VAR num n; PROC main() n:=1;n:=n
+
9; ENDPROC ENDMODULE
