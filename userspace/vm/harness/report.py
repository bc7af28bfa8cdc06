# SPDX-License-Identifier: GPL-2.0
"""Running stages, and telling people what came of them."""

import collections
import concurrent.futures

from . import log, paths, process, stages, tap

DETAIL_LINES = 12


def count(results):
    """How many passed, failed, were skipped: in words."""
    states = collections.Counter(result.state for result in results)
    words = f"{states[tap.PASS]} passed, {states[tap.FAIL]} failed"
    return words + (f", {states[tap.SKIPPED]} skipped" if states[tap.SKIPPED] else "")


def good(results):
    """Whether something passed and nothing failed."""
    states = {result.state for result in results}
    return tap.PASS in states and tap.FAIL not in states


def run_stage(stage, heading, path):
    """Run one stage; whatever goes wrong with it is a failed test, but for a signal.

    Its output goes to path. None begins after a signal.
    """
    if process.status:
        raise process.Ended(process.status)
    print(f"{heading} {stage.name}", flush=True)
    sink = log.Log(path)
    ticker = log.Ticker(stage.name, sink)
    with log.beside(ticker.tick):
        try:
            results = stage.run(sink)
        except process.Ended:
            raise
        except (Exception, SystemExit) as error:  # pylint: disable=broad-except
            sink(f"{error!r}\n".encode())
            results = [tap.Result(stage.name, tap.FAIL, f"cannot run: {error!r}")]
    for result in results:
        if result.state == tap.FAIL:
            print(f"        not ok: {result.name}")
    print(f"        {stage.name}: {count(results)} in {ticker.seconds():.0f} s", flush=True)
    return {
        "stage": stage.name,
        "log": str(sink.path.relative_to(paths.TOP)),
        "seconds": round(ticker.seconds(), 1),
        "results": results,
    }


def one_by_one(run, stages_and_futures):
    """Run stages in one lane."""
    for stage, future in stages_and_futures:
        try:
            future.set_result(run(stage))
        except BaseException as error:  # pylint: disable=broad-exception-caught
            future.set_exception(error)


def run_stages(wanted, folder, lanes):
    """The reports of all, as they come.

    First those that build what guests need, too. Then one lane is for the others without a
    guest, one after the other, since each keeps all CPUs busy; guests go beside them.
    """
    numbers = {stage.name: number for number, stage in enumerate(wanted, 1)}

    def run(stage):
        heading = f"[{numbers[stage.name]:2}/{len(wanted)}]"
        return run_stage(stage, heading, folder / (stage.name.replace(" ", "-") + ".log"))

    first = [stage for stage in wanted if stage.name in stages.BUILDS]
    lane = [
        (stage, concurrent.futures.Future())
        for stage in wanted
        if not (stage.guest or stage in first)
    ]
    for stage in first:
        yield run(stage)
    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        try:
            with process.unbroken():
                pool.submit(one_by_one, run, lane)
                futures = [future for _, future in lane]
                futures += [pool.submit(run, stage) for stage in wanted if stage.guest]
            for future in process.completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            process.end_all()
            raise


def all_results(reports):
    """The results of all stages."""
    return [result for one in reports for result in one["results"]]


def failures(reports):
    """Each failed test, with what there is to know, line by line."""
    for report in reports:
        for result in report["results"]:
            if result.state != tap.FAIL:
                continue
            yield f"\nFAILED {result.name}   ({report['log']})"
            lines = result.detail.splitlines()
            for line in lines[:DETAIL_LINES]:
                yield f"    {line}"
            if len(lines) > DETAIL_LINES:
                yield f"    and {len(lines) - DETAIL_LINES} lines more"


SLOWEST = 10


def slowest(reports):
    """A table of the stages by time, and of the slowest tests that tell theirs."""
    yield "\nSeconds of each stage, beside others at times:"
    for report in sorted(reports, key=lambda report: -report["seconds"]):
        yield f"    {report['seconds']:7.1f}  {report['stage']}"
    tests = [result for result in all_results(reports) if result.seconds]
    if tests:
        yield "Of the slowest tests that tell theirs:"
    for result in sorted(tests, key=lambda result: -result.seconds)[:SLOWEST]:
        yield f"    {result.seconds:7.1f}  {result.name}"
