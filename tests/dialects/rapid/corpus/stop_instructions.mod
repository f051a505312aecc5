MODULE stop_instructions
PROC quit()
  StopMove \Quick;
  StorePath;
  RestoPath;
  StartMove;
  Stop \NoRegain;
  Break;
  ExitCycle;
  EXIT;
ENDPROC
ENDMODULE
