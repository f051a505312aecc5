! expects total = 6
MODULE array_parameters
VAR num list{3} := [1, 2, 3];
VAR num total;
FUNC num sum(num values{*})
  VAR num s;
  FOR i FROM 1 TO Dim(values, 1) DO
    s := s + values{i};
    values{i} := 0;
  ENDFOR
  RETURN s;
ENDFUNC
PROC main()
  total := sum(list);
  total := sum(list);
ENDPROC
ENDMODULE
