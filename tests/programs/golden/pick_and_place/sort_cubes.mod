MODULE sort_cubes
    ! Sort three cubes into the tray
    ! ABB IRB 120-3/0.58, cell pick_and_place, program sort_cubes.
    ! Written by OpenPendant

    ! Tools: millimetres, quaternions (w, x, y, z), kilograms.
    PERS tooldata gripper := [TRUE,[[0,0,125],[1,0,0,0]],[0.56,[0,0,41],[1,0,0,0],0,0,0]];

    ! Work objects: millimetres, quaternions (w, x, y, z).
    PERS wobjdata table := [FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];
    PERS wobjdata slots := [FALSE,TRUE,"",[[360,-200,12],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];

    CONST robtarget start := [[360,0,260],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_cube_1 := [[400,140,120],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_cube_1 := [[400,140,20],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_slot_1 := [[0,90,120],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_slot_1 := [[0,90,20],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_cube_2 := [[340,220,120],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_cube_2 := [[340,220,20],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_slot_2 := [[0,0,120],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_slot_2 := [[0,0,20],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_cube_3 := [[280,140,120],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_cube_3 := [[280,140,20],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget above_slot_3 := [[0,-90,120],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget at_slot_3 := [[0,-90,20],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];

    PROC main()
        ! Wait for the cubes, then bring each into its own slot.
        WaitDI diCubesReady, 1;
        SetDO doTrayFull, 0;
        MoveJ start, v1000, fine, gripper\WObj:=table;
        OpenTool;
        ! Cube 1 into slot 1
        MoveJ above_cube_1, v1000, z50, gripper\WObj:=table;
        MoveL at_cube_1, v100, fine, gripper\WObj:=table;
        CloseTool;
        MoveL above_cube_1, v200, z20, gripper\WObj:=table;
        MoveJ above_slot_1, v1000, z20, gripper\WObj:=slots;
        MoveL Offs(at_slot_1, 0, 0, 2), v100, fine, gripper\WObj:=slots;
        OpenTool;
        MoveL above_slot_1, v200, z20, gripper\WObj:=slots;
        ! Cube 2 into slot 2
        MoveJ above_cube_2, v1000, z50, gripper\WObj:=table;
        MoveL at_cube_2, v100, fine, gripper\WObj:=table;
        CloseTool;
        MoveL above_cube_2, v200, z20, gripper\WObj:=table;
        MoveJ above_slot_2, v1000, z20, gripper\WObj:=slots;
        MoveL Offs(at_slot_2, 0, 0, 2), v100, fine, gripper\WObj:=slots;
        OpenTool;
        MoveL above_slot_2, v200, z20, gripper\WObj:=slots;
        ! Cube 3 into slot 3
        MoveJ above_cube_3, v1000, z50, gripper\WObj:=table;
        MoveL at_cube_3, v100, fine, gripper\WObj:=table;
        CloseTool;
        MoveL above_cube_3, v200, z20, gripper\WObj:=table;
        MoveJ above_slot_3, v1000, z20, gripper\WObj:=slots;
        MoveL Offs(at_slot_3, 0, 0, 2), v100, fine, gripper\WObj:=slots;
        OpenTool;
        MoveL above_slot_3, v200, z20, gripper\WObj:=slots;
        MoveJ start, v1000, fine, gripper\WObj:=table;
        SetDO doTrayFull, 1;
    ENDPROC

    PROC OpenTool()
        SetDO doGrip, 0;
        WaitTime 0.25;
    ENDPROC

    PROC CloseTool()
        SetDO doGrip, 1;
        WaitTime 0.25;
    ENDPROC
ENDMODULE
