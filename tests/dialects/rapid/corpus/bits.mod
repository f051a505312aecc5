! expects n = 173
MODULE bits
VAR num n;
PROC main()
  VAR byte b := 5;
  BitSet b, 4;
  BitClear b, 1;
  n := b + BitAnd(255, 129) + StrToByte("20" \Hex) - BitRSh(2, 1);
  IF BitCheck(b, 4) n := n + StrLen(ByteToStr(255 \Bin)) - 8 + 1;
ENDPROC
ENDMODULE
