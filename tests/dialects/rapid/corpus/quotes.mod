! expects s = "say ""go"" \\ now"
MODULE quotes
VAR string s;
PROC main()
  s := "say ""go"" " + "\\" + " now";
ENDPROC
ENDMODULE
