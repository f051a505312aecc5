! expects ok = TRUE
MODULE maths
VAR bool ok;
PROC main()
  ok := Abs(Sin(30) - 0.5) < 1E-9 AND Round(-2.5) = -3 AND Trunc(2.789 \Dec:=2) = 2.78 AND ATan2(1, -1) = 135 AND Pow(2, 10) = 1024 AND Sqrt(16) = 4;
ENDPROC
ENDMODULE
