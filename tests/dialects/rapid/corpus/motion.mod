! expects n = 6
MODULE motion
PERS tooldata gripper := [TRUE,[[0,0,125],[1,0,0,0]],[0.56,[0,0,41],[1,0,0,0],0,0,0]];
PERS wobjdata table := [FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];
CONST robtarget p10 := [[350,0,300],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
CONST jointtarget home := [[0,0,0,0,30,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
VAR num n;
PROC main()
  ConfL \Off;
  VelSet 50, 500;
  AccSet 50, 50;
  MoveAbsJ home \NoEOffs, v100, fine, gripper \WObj:=table;
  MoveJ p10, vmax \T:=2, z50 \Inpos:=[1,FALSE,[50,50,0,2],0,0,""], gripper;
  MoveL Offs(p10, 0, 0, 10), [100,50,500,100], z10, tool0 \WObj:=wobj0;
  MoveC RelTool(p10, 0, 0, 5 \Rz:=10), p10, v50 \V:=60, fine, gripper;
  WaitRob \InPos;
  n := moves() + 2;
ENDPROC
LOCAL FUNC num moves()
  RETURN 4;
ENDFUNC
ENDMODULE
