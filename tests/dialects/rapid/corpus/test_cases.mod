! expects s = "many"
MODULE test_cases
VAR string s;
PROC main()
  VAR num n := 4;
  TEST n
  ! a comment
  CASE 1:
    s := "one";
  CASE 2, 3, 4:
    s := "many";
  DEFAULT:
    s := "none";
  ENDTEST
  TEST s
  CASE "many":
    n := 0;
  ENDTEST
ENDPROC
ENDMODULE
