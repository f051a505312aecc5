MODULE CobotLearnLeft
  ! Moves the left arm for CobotLearnRight. Task: the one of the left arm (T_ROB_L).

  ! To be adapted: limits and smallest step in mm.
  PERS num leftLowest{3}:=[-600,-75,-300];
  PERS num leftHighest{3}:=[300,300,300];
  CONST num MIN_TRANS:=5;

  ! Shared with CobotLearnRight.
  PERS num leftHand{3}:=[0,0,0];
  PERS bool leftHandOn:=FALSE;
  PERS bool leftHome:=FALSE;
  PERS bool learnDone:=FALSE;
  PERS tasks learnTasks{2}:=[["T_ROB_R"],["T_ROB_L"]];
  VAR syncident learnBegin;
  VAR syncident learnEnd;

  CONST jointtarget homeJoints:=[[0,-130,30,0,40,0],[135,9E9,9E9,9E9,9E9,9E9]];

  VAR robtarget initialTarget;
  VAR pos lastStep;
  VAR bool outside;

  PROC main()
    WaitSyncTask learnBegin,learnTasks;
    MoveHome;
    WaitRob\InPos;
    initialTarget:=CRobT(\Tool:=tool0\WObj:=wobj0);
    WHILE NOT learnDone DO
      IF leftHome THEN
        MoveHome;
        leftHome:=FALSE;
      ELSEIF leftHandOn THEN
        MoveLeftArm leftHand{1},leftHand{2},leftHand{3};
        leftHandOn:=FALSE;
      ELSE
        WaitTime 0.01;
      ENDIF
    ENDWHILE
    WaitRob\InPos;
    WaitSyncTask learnEnd,learnTasks;
  ENDPROC

  PROC MoveHome()
    lastStep:=[0,0,0];
    MoveAbsJ homeJoints\NoEOffs,v1000\T:=3,z100,tool0\WObj:=wobj0;
  ENDPROC

  ! x, y and z are those of the camera.
  PROC MoveLeftArm(num x,num y,num z)
    VAR pos step;
    IF x<leftLowest{1} OR x>leftHighest{1} OR y<leftLowest{2} OR y>leftHighest{2} RETURN;
    IF z<leftLowest{3} OR z>leftHighest{3} RETURN;
    step:=[-y,-x,z];
    IF Distance(step,lastStep)<MIN_TRANS RETURN;
    IF NOT Reachable(step) RETURN;
    lastStep:=step;
    MoveJ RelTool(initialTarget,step.x,step.y,step.z),v1000,z30,tool0;
  ENDPROC

  ! A move out of reach would stop both arms.
  FUNC bool Reachable(pos step)
    VAR jointtarget joints;
    joints:=CalcJointT(RelTool(initialTarget,step.x,step.y,step.z),tool0);
    outside:=FALSE;
    RETURN TRUE;
  ERROR
    SkipWarn;
    IF NOT outside TPWrite "Left arm: out of reach";
    outside:=TRUE;
    RETURN FALSE;
  ENDFUNC
ENDMODULE
