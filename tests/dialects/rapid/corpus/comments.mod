! expects a = 3
! before
MODULE comments ! after
  ! inside
  VAR num a; ! at the end
  PROC main() ! here
    ! first
    a := 1 + ! in an expression
      2;
    IF a = 3 THEN ! condition
      ! only a comment
    ENDIF
    ! last
  ENDPROC
  ! end
ENDMODULE
! after all
