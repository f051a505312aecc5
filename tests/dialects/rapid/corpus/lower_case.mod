! expects n = 3
module lower_case
var num n := 0;
proc main()
  while n < 3 do
    n := n + 1;
  endwhile
endproc
endmodule
