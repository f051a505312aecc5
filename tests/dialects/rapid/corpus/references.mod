! expects total = 8
MODULE references
VAR num total;
VAR num list{2} := [1, 2];
VAR pos place := [1, 1, 1];
PROC double(INOUT num n)
  n := 2 * n;
ENDPROC
PROC twice(VAR num n)
  double n;
  double n;
ENDPROC
PROC main()
  twice list{2};
  double place.y;
  double list{1};
  total := list{2} - list{1} + place.y;
ENDPROC
ENDMODULE
