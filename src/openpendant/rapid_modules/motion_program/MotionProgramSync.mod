MODULE MotionProgramSync
  ! Lets two arms move together for MotionProgram. Tasks: both that move an arm, T_ROB1 and T_ROB2.
  ! Needs MultiMove: with a single arm it is left out, and its procedures are never called.

  ! To be adapted: the tasks that move together.
  PERS tasks mpTasks{2}:=[["T_ROB1"],["T_ROB2"]];

  VAR syncident mpSyncOn;
  VAR syncident mpSyncOff;

  PROC MpSyncBegin()
    SyncMoveOn mpSyncOn,mpTasks;
  ERROR
    RAISE;
  ENDPROC

  PROC MpSyncEnd()
    SyncMoveOff mpSyncOff;
  ERROR
    RAISE;
  ENDPROC
ENDMODULE
