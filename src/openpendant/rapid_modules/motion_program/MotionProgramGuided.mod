MODULE MotionProgramGuided
  ! Guided motion (EGM) for MotionProgram: joints, poses and corrected paths by a sensor; other programs send positions.
  ! Task: as MotionProgram. Needs option 689-1; without it this module is left out.
  ! Configuration: External Motion Interface Data joint, pose and path_corr; Transmission Protocols of type UDPUC
  ! UCdevice, for T_ROB2 UCdevice2.

  LOCAL CONST num RATE:=4;
  LOCAL CONST num PATH_RATE:=48;
  ! The client may begin to send at any time, and ends the guidance by motion_program_stop_egm.
  LOCAL CONST num TIMEOUT:=100000;
  LOCAL CONST num JOINTS:=1;
  LOCAL CONST num POSES:=2;
  LOCAL CONST num PATHS:=3;

  LOCAL VAR egmident guide;
  LOCAL VAR num way;
  LOCAL VAR egm_minmax near{6};

  ! The file is at what belongs to its way of guidance; 0: none.
  PROC MpGuidedBegin(num kind)
    way:=kind;
    EGMGetId guide;
    EGMReset guide;
    EGMGetId guide;
    TEST way
    CASE 0:
      EGMSetupUC ROB_ID,guide,"joint",Device()\Joint\CommTimeout:=TIMEOUT;
      EGMStreamStart guide\SampleRate:=RATE;
    CASE JOINTS:
      BeginJoints;
    CASE POSES:
      BeginPoses;
    CASE PATHS:
      BeginPaths;
    DEFAULT:
      RAISE ERR_ARGVALERR;
    ENDTEST
  ERROR
    RAISE;
  ENDPROC

  PROC MpGuidedEnd()
    EGMStreamStop guide;
    EGMReset guide;
  ERROR
    RAISE;
  ENDPROC

  PROC MpGuidedMove(num code)
    TEST code
    CASE 50001:
      RunJoints;
    CASE 50002:
      RunPoses;
    CASE 50003:
      DoEGMMoveL;
    CASE 50004:
      DoEGMMoveC;
    DEFAULT:
      RAISE ERR_ARGVALERR;
    ENDTEST
  ERROR
    RAISE;
  ENDPROC

  LOCAL FUNC string Device()
    IF GetTaskName()="T_ROB2" RETURN "UCdevice2";
    RETURN "UCdevice";
  ENDFUNC

  LOCAL PROC ReadNear()
    FOR i FROM 1 TO 6 DO
      near{i}.min:=ReadValue();
      near{i}.max:=ReadValue();
    ENDFOR
  ERROR
    RAISE;
  ENDPROC

  LOCAL FUNC egmframetype ReadFrameType()
    TEST ReadValue()
    CASE 0:
      RETURN EGM_FRAME_BASE;
    CASE 1:
      RETURN EGM_FRAME_TOOL;
    CASE 2:
      RETURN EGM_FRAME_WOBJ;
    CASE 3:
      RETURN EGM_FRAME_WORLD;
    CASE 4:
      RETURN EGM_FRAME_JOINT;
    ENDTEST
    RAISE ERR_ARGVALERR;
  ERROR
    RAISE;
  ENDFUNC

  LOCAL PROC BeginJoints()
    VAR num far;
    VAR num speed;
    ReadNear;
    far:=ReadValue();
    speed:=ReadValue();
    EGMSetupUC ROB_ID,guide,"joint",Device()\Joint\CommTimeout:=TIMEOUT;
    EGMActJoint guide\Tool:=mpTool\WObj:=mpWobj\J1:=near{1}\J2:=near{2}\J3:=near{3}\J4:=near{4}\J5:=near{5}
      \J6:=near{6}\SampleRate:=RATE\MaxPosDeviation:=far\MaxSpeedDeviation:=speed;
    EGMStreamStart guide\SampleRate:=RATE;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC BeginPoses()
    VAR pose correction;
    VAR egmframetype correctionType;
    VAR pose sensor;
    VAR egmframetype sensorType;
    VAR num far;
    VAR num speed;
    correction:=ReadPose();
    correctionType:=ReadFrameType();
    sensor:=ReadPose();
    sensorType:=ReadFrameType();
    ReadNear;
    far:=ReadValue();
    speed:=ReadValue();
    EGMSetupUC ROB_ID,guide,"pose",Device()\Pose\CommTimeout:=TIMEOUT;
    EGMActPose guide\Tool:=mpTool\WObj:=mpWobj,correction,correctionType,sensor,sensorType\X:=near{1}\Y:=near{2}
      \Z:=near{3}\Rx:=near{4}\Ry:=near{5}\Rz:=near{6}\SampleRate:=RATE\MaxPosDeviation:=far\MaxSpeedDeviation:=speed;
    EGMStreamStart guide\SampleRate:=RATE;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC BeginPaths()
    VAR pose sensor;
    sensor:=ReadPose();
    EGMSetupUC ROB_ID,guide,"path_corr",Device()\PathCorr\APTR\CommTimeout:=TIMEOUT;
    EGMActMove guide,sensor\SampleRate:=PATH_RATE;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC RunJoints()
    VAR num condition;
    VAR num rampIn;
    VAR num rampOut;
    VAR jointtarget here;
    IF way<>JOINTS RAISE ERR_ARGVALERR;
    condition:=ReadValue();
    rampIn:=ReadValue();
    rampOut:=ReadValue();
    WaitRob\InPos;
    SetDO motion_program_stop_egm,0;
    here:=CJointT();
    IF here.extax.eax_a<8E9 THEN
      EGMRunJoint guide,EGM_STOP_HOLD\NoWaitCond\J1\J2\J3\J4\J5\J6\J7\CondTime:=condition\RampInTime:=rampIn;
    ELSE
      EGMRunJoint guide,EGM_STOP_HOLD\NoWaitCond\J1\J2\J3\J4\J5\J6\CondTime:=condition\RampInTime:=rampIn;
    ENDIF
    WaitForStop rampOut;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC RunPoses()
    VAR num condition;
    VAR num rampIn;
    VAR num rampOut;
    VAR pose offset;
    IF way<>POSES RAISE ERR_ARGVALERR;
    condition:=ReadValue();
    rampIn:=ReadValue();
    rampOut:=ReadValue();
    offset:=ReadPose();
    WaitRob\InPos;
    SetDO motion_program_stop_egm,0;
    EGMRunPose guide,EGM_STOP_HOLD\NoWaitCond\X\Y\Z\Rx\Ry\Rz\CondTime:=condition\RampInTime:=rampIn
      \RampOutTime:=rampOut\Offset:=offset;
    WaitForStop rampOut;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC WaitForStop(num rampOut)
    WaitDO motion_program_stop_egm,1;
    EGMStop guide,EGM_STOP_HOLD\RampOutTime:=rampOut;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC DoEGMMoveL()
    VAR robtarget target;
    VAR speeddata speed;
    VAR zonedata zone;
    IF way<>PATHS RAISE ERR_ARGVALERR;
    target:=ReadTarget();
    speed:=ReadSpeed();
    zone:=ReadZone();
    EGMMoveL guide,target,speed,zone,mpTool\WObj:=mpWobj;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC DoEGMMoveC()
    VAR robtarget via;
    VAR robtarget target;
    VAR speeddata speed;
    VAR zonedata zone;
    IF way<>PATHS RAISE ERR_ARGVALERR;
    via:=ReadTarget();
    target:=ReadTarget();
    speed:=ReadSpeed();
    zone:=ReadZone();
    EGMMoveC guide,via,target,speed,zone,mpTool\WObj:=mpWobj;
  ERROR
    RAISE;
  ENDPROC
ENDMODULE
