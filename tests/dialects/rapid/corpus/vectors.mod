! expects ok = TRUE
MODULE vectors
VAR bool ok;
PROC main()
  VAR pos x := [1, 0, 0];
  VAR pos y := [0, 2, 0];
  ok := x * y = [0, 0, 2] AND 2 * x + y - x = [1, 2, 0] AND DotProd(x, y) = 0 AND -x = [-1, 0, 0] AND y / 2 = [0, 1, 0];
ENDPROC
ENDMODULE
