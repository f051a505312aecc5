MODULE VrArmStream
  ! Sends the joints to the PC that has asked last, while the arm moves. Task: one in the background.
  CONST num VIEWER_PORT:=7000;
  CONST num PERIOD:=0.04;

  ! Shared with VrArm and VrArmServer.
  PERS bool vrExecuting:=FALSE;
  PERS string vrViewer:="127.0.0.1";

  VAR socketdev streamSocket;

  PROC main()
    SocketClose streamSocket;
    SocketCreate streamSocket\UDP;
    WHILE TRUE DO
      WaitUntil vrExecuting\PollRate:=0.01;
      SendJoints CJointT(\TaskName:="T_ROB1");
      WaitTime PERIOD;
    ENDWHILE
  ENDPROC

  PROC SendJoints(jointtarget joints)
    VAR string text;
    text:=Whole(joints.robax.rax_1)+";"+Whole(joints.robax.rax_2)+";"+Whole(joints.robax.rax_3);
    text:=text+";"+Whole(joints.robax.rax_4)+";"+Whole(joints.robax.rax_5)+";"+Whole(joints.robax.rax_6);
    SocketSendTo streamSocket,vrViewer,VIEWER_PORT\Str:=text;
  ERROR
    ! Nobody is there: a datagram may be lost.
    SkipWarn;
    TRYNEXT;
  ENDPROC

  FUNC string Whole(num value)
    ! Without the sum, -0.2 would be written "-0".
    RETURN NumToStr(Round(value)+0,0);
  ENDFUNC
ENDMODULE
