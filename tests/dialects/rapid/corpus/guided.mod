MODULE guided
VAR egmident id;
CONST egm_minmax narrow := [-1, 1];
PROC follow()
  EGMGetId id;
  EGMSetupUC ROB_1, id, "default", "UCdevice" \Joint;
  EGMActJoint id \J1:=narrow \J2:=narrow \MaxSpeedDeviation:=40;
  EGMRunJoint id, EGM_STOP_HOLD \J1 \J2 \CondTime:=1E6 \RampInTime:=0.05;
  EGMReset id;
ENDPROC
ENDMODULE
