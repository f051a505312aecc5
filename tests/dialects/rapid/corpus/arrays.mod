! expects total = 45
MODULE arrays
CONST num WIDTH := 3;
VAR num grid{3, WIDTH} := [[1,2,3],[4,5,6],[7,8,9]];
VAR num copy{3, 3};
VAR num total;
PROC main()
  copy := grid;
  grid{1, 1} := 100;
  FOR i FROM 1 TO Dim(copy, 1) DO
    FOR j FROM 1 TO Dim(copy, 2) DO
      total := total + copy{i, j};
    ENDFOR
  ENDFOR
ENDPROC
ENDMODULE
