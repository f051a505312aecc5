! expects s = "a2"
MODULE late_binding
VAR string s;
PROC a1(num n)
  s := "a1";
ENDPROC
PROC a2(num n)
  s := "a" + NumToStr(n, 0);
ENDPROC
PROC main()
  VAR num which := 2;
  %"a" + NumToStr(which, 0)% which;
ENDPROC
ENDMODULE
