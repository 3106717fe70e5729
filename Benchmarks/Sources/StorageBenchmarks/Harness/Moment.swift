import Foundation

/// A point in time: of the clock on the wall, and of the processor time that this process has used on all its threads.
struct Moment {
    let wall: Double
    let cpu: Double

    static var now: Moment {
        Moment(wall: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
