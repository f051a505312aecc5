! expects result = 17
MODULE records
RECORD part
  num count;
  pos place;
  string title;
ENDRECORD
VAR part one := [2, [1, 2, 3], "bolt"];
VAR part two;
VAR num result;
PROC main()
  two := one;
  two.place.y := 10;
  two.count := two.count * 3;
  result := two.place.y + two.count + one.place.x;
ENDPROC
ENDMODULE
