! expects s = "go 258"
MODULE raw_bytes
VAR rawbytes data;
VAR string s;
PROC main()
  VAR num n;
  ClearRawBytes data;
  PackRawBytes "go", data, RawBytesLen(data) + 1 \ASCII;
  PackRawBytes 258, data \Network, RawBytesLen(data) + 1 \IntX:=UINT;
  UnpackRawBytes data, 1, s \ASCII:=2;
  UnpackRawBytes data \Network, 3, n \IntX:=UINT;
  s := s + " " + NumToStr(n, 0);
ENDPROC
ENDMODULE
