MODULE assemble_left
    ! Block, then peg
    ! ABB YuMi IRB 14000, cell two_arms, program assemble.
    ! Written by OpenPendant

    ! Tools: millimetres, quaternions (w, x, y, z), kilograms.
    PERS tooldata left_gripper := [TRUE,[[0,0,129],[0,0,0,1]],[0.23,[0,0,35],[1,0,0,0],0,0,0]];

    ! Work objects: millimetres, quaternions (w, x, y, z).
    PERS wobjdata table := [FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];

    CONST jointtarget joints := [[-44.66206,-77.83059,47.88208,115.09003,69.32216,136.24936],[60.85958,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_at_peg := [[-58.19755,-81.38521,32.69159,129.18551,63.42411,137.32068],[76.20117,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_above_peg := [[-44.66108,-77.83097,47.88268,115.08869,69.3244,136.24813],[60.86096,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget joints_2 := [[-88.09799,-43.53906,43.28123,107.99109,82.01891,93.39785],[73.61935,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_on_fixture_left := [[-98.65338,-51.73325,31.45224,123.26721,74.76701,95.25323],[94.88014,9E+09,9E+09,9E+09,9E+09,9E+09]];
    CONST jointtarget j_above_fixture_left := [[-88.10043,-43.53997,43.28392,107.98825,82.01304,93.39743],[73.62196,9E+09,9E+09,9E+09,9E+09,9E+09]];

    ! Calls between tasks: which program an arm is asked for (0: none, -1: no more), and whether it is done.
    PERS num ask_left := 0;
    PERS bool done_left := FALSE;
    PERS tasks all_tasks{2} := [["T_ROB_R"],["T_ROB_L"]];
    VAR syncident begun;

    PROC place_peg()
        VelSet 50, 5000;
        MoveAbsJ joints, vmax, z20, left_gripper;
        VelSet 100, 5000;
        MoveL CalcRobT(j_at_peg, left_gripper\WObj:=table), v100, fine, left_gripper\WObj:=table;
        CloseTool;
        MoveL CalcRobT(j_above_peg, left_gripper\WObj:=table), v200, z20, left_gripper\WObj:=table;
        VelSet 50, 5000;
        MoveAbsJ joints_2, vmax, z20, left_gripper;
        VelSet 100, 5000;
        MoveL Offs(CalcRobT(j_on_fixture_left, left_gripper\WObj:=table), 0, 0, 36), v100, fine, left_gripper\WObj:=table;
        OpenTool;
        MoveL CalcRobT(j_above_fixture_left, left_gripper\WObj:=table), v200, z20, left_gripper\WObj:=table;
        VelSet 50, 5000;
        MoveAbsJ joints, vmax, fine, left_gripper;
        VelSet 100, 5000;
    ENDPROC

    PROC ServeCalls()
        VAR num asked;
        asked := ask_left;
        IF asked <= 0 RETURN;
        ask_left := 0;
        TEST asked
        CASE 1:
            place_peg;
        ENDTEST
        done_left := TRUE;
    ENDPROC

    PROC main()
        ask_left := 0;
        done_left := FALSE;
        WaitSyncTask begun, all_tasks;
        WHILE ask_left >= 0 DO
            WaitUntil ask_left <> 0;
            ServeCalls;
        ENDWHILE
        ask_left := 0;
    ENDPROC

    PROC CloseTool()
        SetDO doGripLeft, 1;
        WaitTime 1;
    ENDPROC

    PROC OpenTool()
        SetDO doGripLeft, 0;
        WaitTime 1;
    ENDPROC
ENDMODULE
