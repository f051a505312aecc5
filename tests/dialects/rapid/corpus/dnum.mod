! expects big = 4503599627370496
MODULE dnum_numbers
VAR dnum big := 4503599627370495;
PROC main()
  big := big + 1;
ENDPROC
ENDMODULE
