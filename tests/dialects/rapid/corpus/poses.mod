! expects ok = TRUE
MODULE poses
VAR bool ok;
PROC main()
  VAR pose a := [[1, 2, 3], [0.70710678, 0, 0, 0.70710678]];
  VAR pose b;
  b := PoseMult(a, PoseInv(a));
  ok := VectMagn(b.trans) < 1E-6 AND Distance([0, 3, 0], [4, 0, 0]) = 5 AND Abs(EulerZYX(\Z, a.rot) - 90) < 1E-4;
ENDPROC
ENDMODULE
