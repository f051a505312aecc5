MODULE two_arms
VAR syncident meet1;
VAR syncident meet2;
TASK PERS tasks both{2} := [["T_ROB_L"], ["T_ROB_R"]];
PERS bool leftReady := FALSE;
PROC together()
  WaitSyncTask \InPos, meet1, both \TimeOut:=10;
  SyncMoveOn meet2, both;
  MoveL [[1,2,3],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]] \ID:=10, v100, fine, tool0;
  SyncMoveOff meet2;
  leftReady := TRUE;
ENDPROC
ENDMODULE
