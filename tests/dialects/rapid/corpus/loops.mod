! expects n = 31
MODULE loops
VAR num n;
PROC main()
  FOR i FROM 3 TO 1 DO
    n := n + i;
  ENDFOR
  FOR i FROM 0 TO 1 STEP 0.25 DO
    n := n + 1;
  ENDFOR
  FOR i FROM 5 TO 1 STEP 1 DO
    n := n + 100;
  ENDFOR
  WHILE n < 31 DO
    n := n + 1;
  ENDWHILE
ENDPROC
ENDMODULE
