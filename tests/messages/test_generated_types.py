"""The TypeScript types are those of the messages."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

import generate_types  # noqa: E402


def test_the_file_in_the_repository_is_fresh() -> None:
    answer = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "generate_types.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_stale_file_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "generated.ts"
    monkeypatch.setattr(generate_types, "ROOT", tmp_path)
    monkeypatch.setattr(generate_types, "WIRE", tmp_path)
    monkeypatch.setattr(generate_types, "ENGLISH", tmp_path)
    assert generate_types.main(["--check"]) == 1
    stale.write_text("export type KinematicsReply = never;\n")
    assert generate_types.main(["--check"]) == 1
    assert "run `python tools/generate_types.py`" in capsys.readouterr().err
    assert generate_types.main([]) == 0
    assert generate_types.main(["--check"]) == 0


def test_types_are_what_the_page_relies_on() -> None:
    text = generate_types.generate_messages()
    assert "export type KinematicsRequest = ForwardRequest | InverseRequest;" in text
    assert '  readonly type: "inverse";\n' in text
    assert "  readonly wxyz: readonly [number, number, number, number];\n" in text
    assert "  readonly redundancy?: number | null;\n" in text
    assert "  readonly profile: readonly (readonly [number, number])[];\n" in text
    assert "/** Distance of the joint nearest to its limit; pi where no joint has one. */" in text


def test_types_of_the_studio_refer_to_each_other_by_name() -> None:
    text = generate_types.generate_studio()
    assert text.count("export interface Pose ") == 0
    assert "  readonly steps?: readonly Action[];\n" in text
    assert "  readonly edit: ProjectEdit;\n" in text
    assert "  readonly shape: Shape;\n" in text
    assert "  readonly programs: Readonly<Record<string, Program>>;\n" in text
