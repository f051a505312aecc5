MODULE everything
    ! everything
    ! ABB IRB 120-3/0.58, cell all, program everything.
    ! Written by OpenPendant

    ! Tools: millimetres, quaternions (w, x, y, z), kilograms.
    PERS tooldata gripper := [TRUE,[[0,0,125],[1,0,0,0]],[0.56,[0,0,41],[1,0,0,0],0,0,0]];

    CONST robtarget b := [[350,80,300],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget joints := [[0,11.45916,17.18873,0,57.29578,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget a := [[350,0,300],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget c := [[310,0,300],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget b2 := [[322,48,300],[0,0,1,0],[0,0,0,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST robtarget a_2 := [[350,0,300],[0,0,1,0],[-1,0,-1,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];

    CONST speeddata v120_90 := [120,90,5000,1000];
    CONST zonedata z12mm := [FALSE,12,18,18,1.8,18,1.8];

    VAR num row := 0;
    VAR num speedOverride := 100;
    VAR bool late := FALSE;

    PROC main()
        row := 0;
        speedOverride := 100;
        ! Every action once.
        WaitDI diReady, 1\MaxTime:=5\TimeFlag:=late;
        IF late THEN
            ErrWrite "Program ended", "step wi: ready did not come within 5 s";
            EXIT;
        ENDIF
        VelSet 40*speedOverride/100, 5000;
        MoveAbsJ joints, vmax, fine, gripper;
        VelSet speedOverride, 5000;
        MoveL a, v120_90, z12mm, gripper;
        MoveL b, v100, z5, gripper;
        MoveC b2, c, v50, fine, gripper;
        OpenTool;
        CloseTool;
        speedOverride := 60;
        VelSet speedOverride, 5000;
        VelSet 30*speedOverride/100, 5000;
        MoveJ a, vmax, z10, gripper;
        VelSet speedOverride, 5000;
        SetDO doLamp, 1;
        WHILE row < 3 DO
            MoveL Offs(a_2, row * 10, -(row + 1) * 5, 0), v200, fine, gripper;
            MoveL RelTool(a, 0, 0, -10), v200, fine, gripper;
            row := row + 1;
        ENDWHILE
        IF (DInput(diPartHere) = 1) AND NOT ((DInput(diReady) = 1) OR row = 2) AND row / 2 <> 1.5 THEN
            WaitTime 0.5;
        ELSE
            other;
        ENDIF
        FOR i FROM 1 TO 2 DO
            SetDO doLamp, 0;
        ENDFOR
        ! Home
        MoveAbsJ joints, v200, fine, gripper;
        ! Pick what is there at a: approach by 20 mm, retreat by 30 mm.
        OpenTool;
        VelSet 30*speedOverride/100, 5000;
        MoveJ RelTool(a, 0, 0, -20), vmax, z10, gripper;
        VelSet speedOverride, 5000;
        MoveL a, v100, fine, gripper;
        CloseTool;
        MoveL RelTool(a, 0, 0, -30), v100, z10, gripper;
        ! Place what it holds at b, moved (row * 0.01) m along x and (-(row + 1) * 0.005) m along y: approach by 30 mm, retreat by 20 mm.
        MoveJ Offs(b, row * 10, -(row + 1) * 5, 30), v200, z10, gripper;
        MoveL Offs(b, row * 10, -(row + 1) * 5, 0), v100, fine, gripper;
        OpenTool;
        MoveL Offs(b, row * 10, -(row + 1) * 5, 20), v100, fine, gripper;
        ! (off) Wait 9 s.
        WHILE TRUE DO
            WaitTime 1;
            WaitDI diPartHere, 1;
        ENDWHILE
    ENDPROC

    PROC other()
        MoveL b, v200, fine, gripper;
    ENDPROC

    PROC OpenTool()
        SetDO doShut, 0;
        SetDO doOpen, 1;
        WaitTime 0.25;
    ENDPROC

    PROC CloseTool()
        SetDO doOpen, 0;
        SetDO doShut, 1;
        WaitTime 0.25;
    ENDPROC
ENDMODULE
