! expects ok = TRUE
MODULE signals
VAR bool ok;
PROC main()
  VAR bool late;
  SetDO doGrip, 1;
  SetDO \SDelay:=0.2, doOther, high;
  Set doLamp;
  Reset doLamp;
  PulseDO \PLength:=0.1, doLamp;
  WaitDI diReady, 1 \MaxTime:=0.5 \TimeFlag:=late;
  ok := DOutput(doGrip) = 1 AND doutput(doLamp) = low AND DInput(diReady) = 0 AND late;
ENDPROC
ENDMODULE
