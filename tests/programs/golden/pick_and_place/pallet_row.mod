MODULE pallet_row
    ! Visit the slots of the tray by counting
    ! The slots stand in a row, 90 mm apart: one point and an offset reach them all.
    ! ABB IRB 120-3/0.58, cell pick_and_place, program pallet_row.
    ! Written by OpenPendant

    ! Tools: millimetres, quaternions (w, x, y, z), kilograms.
    PERS tooldata gripper := [TRUE,[[0,0,125],[1,0,0,0]],[0.56,[0,0,41],[1,0,0,0],0,0,0]];

    ! Work objects: millimetres, quaternions (w, x, y, z).
    PERS wobjdata table := [FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];
    PERS wobjdata slots := [FALSE,TRUE,"",[[360,-200,12],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];

    CONST robtarget start := [[360,0,260],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_slot_1 := [[0,90,120],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_slot_1 := [[0,90,20],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];

    VAR num slot := 0;

    PROC main()
        slot := 0;
        MoveJ start, v1000, fine, gripper\WObj:=table;
        WHILE slot < 3 DO
            MoveJ Offs(above_slot_1, 0, -90 * slot, 0), v1000, z20, gripper\WObj:=slots;
            MoveL Offs(at_slot_1, 0, -90 * slot, 30), v200, fine, gripper\WObj:=slots;
            MoveL Offs(above_slot_1, 0, -90 * slot, 0), v200, z20, gripper\WObj:=slots;
            slot := slot + 1;
        ENDWHILE
        MoveJ start, v1000, fine, gripper\WObj:=table;
    ENDPROC
ENDMODULE
