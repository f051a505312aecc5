! expects step = 12
MODULE soft_words
VAR num step := 2;
VAR num from := 1;
VAR num to := 5;
VAR num undo;
PROC main()
  FOR i FROM from TO to STEP step DO
    undo := undo + i;
  ENDFOR
  step := undo + 3;
ENDPROC
ENDMODULE
