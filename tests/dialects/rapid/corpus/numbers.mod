! expects total = 283.5
MODULE numbers
VAR num total;
PROC main()
  total := 0x1F + 0b101 + 0o17 + 1E2 + .5 + 2.5E+1 + 1.07E2;
ENDPROC
ENDMODULE
