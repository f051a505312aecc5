! expects N = 6
Module MixedCase
Var num N;
Proc Main()
  For I From 1 To 3 Do
    n := N + i;
  EndFor
EndProc
EndModule
