MODULE assemble
    ! Block, then peg
    ! ABB YuMi IRB 14000, cell two_arms, program assemble.
    ! Written by OpenPendant

    ! Tools: millimetres, quaternions (w, x, y, z), kilograms.
    PERS tooldata right_gripper := [TRUE,[[0,0,129],[0,0,0,1]],[0.23,[0,0,35],[1,0,0,0],0,0,0]];

    ! Work objects: millimetres, quaternions (w, x, y, z).
    PERS wobjdata table := [FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];

    CONST jointtarget joints := [[27.89159,-43.36145,43.06924,-106.39253,34.77281,-123.2776],[-66.25111,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_at_block := [[63.26412,-53.80151,21.68356,-125.271,37.32015,-118.85805],[-97.58572,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_above_block := [[27.89142,-43.36224,43.06971,-106.39277,34.76953,-123.27426],[-66.25012,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget joints_2 := [[87.89173,-43.53906,43.28123,-107.99109,82.01891,-93.39785],[-73.64227,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_on_fixture_right := [[101.3179,-56.02643,26.24167,-127.64122,72.94975,-96.91962],[-99.41321,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_above_fixture_right := [[87.88679,-43.53908,43.28051,-107.98967,82.01633,-93.39837],[-73.63751,9E+09,9E+09,9E+09,9E+09,9E+09]];

    ! Calls between tasks: which program an arm is asked for (0: none, -1: no more), and whether it is done.
    PERS num ask_left := 0;
    PERS bool done_left := FALSE;
    PERS tasks all_tasks{2} := [["T_ROB_R"],["T_ROB_L"]];
    VAR syncident begun;

    PROC main()
        WaitSyncTask begun, all_tasks;
        WaitDI diPartsReady, 1;
        place_block;
        place_peg;
        SetDO doAssembled, 1;
        ask_left := -1;
        WaitUntil ask_left = 0;
    ENDPROC

    PROC place_block()
        VelSet 50, 5000;
        MoveAbsJ joints, vmax, z20, right_gripper;
        VelSet 100, 5000;
        MoveL CalcRobT(j_at_block, right_gripper\WObj:=table), v100, fine, right_gripper\WObj:=table;
        CloseTool;
        MoveL CalcRobT(j_above_block, right_gripper\WObj:=table), v200, z20, right_gripper\WObj:=table;
        VelSet 50, 5000;
        MoveAbsJ joints_2, vmax, z20, right_gripper;
        VelSet 100, 5000;
        MoveL Offs(CalcRobT(j_on_fixture_right, right_gripper\WObj:=table), 0, 0, 2), v100, fine, right_gripper\WObj:=table;
        OpenTool;
        MoveL CalcRobT(j_above_fixture_right, right_gripper\WObj:=table), v200, z20, right_gripper\WObj:=table;
        VelSet 50, 5000;
        MoveAbsJ joints, vmax, fine, right_gripper;
        VelSet 100, 5000;
    ENDPROC

    PROC place_peg()
        done_left := FALSE;
        ask_left := 1;
        WaitUntil done_left;
        done_left := FALSE;
    ENDPROC

    PROC CloseTool()
        SetDO doGripRight, 1;
        WaitTime 1;
    ENDPROC

    PROC OpenTool()
        SetDO doGripRight, 0;
        WaitTime 1;
    ENDPROC
ENDMODULE
