package io.github.zklock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class OncePerTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final OncePer HOURLY = OncePer.of(Duration.ofHours(1));

    @Test
    void slidingWindowBeginsWithTheRun() {
        assertThat(HOURLY.isOver(NOON, NOON.plusMillis(3_599_999))).isFalse();
        assertThat(HOURLY.isOver(NOON, NOON.plusSeconds(3_600))).isTrue();
    }

    @Test
    void toleranceIsAHundredthOfTheWindowAndAtMostAMinute() {
        assertThat(HOURLY.tolerance()).isEqualTo(Duration.ofSeconds(36));
        assertThat(OncePer.of(Duration.ofSeconds(50)).tolerance()).isEqualTo(Duration.ofMillis(500));
        assertThat(OncePer.of(Duration.ofDays(1)).tolerance()).isEqualTo(Duration.ofMinutes(1));
        assertThat(HOURLY.tolerating(Duration.ZERO).tolerance()).isZero();
    }

    @Test
    void alignedWindowBeginsAtTheFullHour() {
        OncePer aligned = HOURLY.alignedIn(ZoneOffset.UTC).tolerating(Duration.ZERO);

        assertThat(aligned.isOver(NOON.plusSeconds(3_599), NOON.plusSeconds(3_600)))
                .isTrue();
        assertThat(aligned.isOver(NOON, NOON.plusSeconds(3_599))).isFalse();
    }

    @Test
    void earlyRunBelongsToTheNextAlignedWindow() {
        OncePer aligned = HOURLY.alignedIn(ZoneOffset.UTC);
        Instant early = NOON.minusMillis(50);

        assertThat(aligned.isOver(NOON.minusSeconds(3_600), early)).isFalse();
        assertThat(aligned.isOver(NOON.minusSeconds(3_600), early.plus(aligned.tolerance())))
                .isTrue();
        assertThat(aligned.isOver(early, NOON.plusMillis(50)))
                .as("another machine")
                .isFalse();
        assertThat(aligned.isOver(early, NOON.plusSeconds(3_600))).isTrue();
    }

    @Test
    void dayIsThatOfTheZone() {
        OncePer daily = OncePer.of(Duration.ofDays(1)).alignedIn(ZoneId.of("Asia/Tokyo"));
        Instant midnightInTokyo = Instant.parse("2026-03-02T15:00:00Z");

        assertThat(daily.isOver(midnightInTokyo.minusSeconds(3_600), midnightInTokyo))
                .isTrue();
        assertThat(daily.isOver(midnightInTokyo, midnightInTokyo.plusSeconds(20 * 3_600)))
                .isFalse();
        assertThat(daily.alignment()).contains(ZoneId.of("Asia/Tokyo"));
    }

    @Test
    void dayOfAClockChangeIsOneWindow() {
        OncePer daily = OncePer.of(Duration.ofDays(1)).alignedIn(ZoneId.of("Europe/Berlin"));
        for (String day : List.of("2026-03-29", "2026-10-25")) {
            Instant before = Instant.parse(day + "T00:30:00Z");
            Instant after = Instant.parse(day + "T05:00:00Z");
            assertThat(daily.isOver(before, after)).as(day).isFalse();
            assertThat(daily.isOver(before, after.plus(Duration.ofHours(22))))
                    .as(day)
                    .isTrue();
        }
    }

    @Test
    void hourThatTheClockRepeatsHasWindowsOfItsOwn() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Instant twoInSummer = Instant.parse("2026-10-25T00:00:00Z");
        for (int minutes : List.of(15, 60)) {
            Duration window = Duration.ofMinutes(minutes);
            OncePer aligned = OncePer.of(window).alignedIn(berlin);
            for (Instant run = twoInSummer;
                    run.isBefore(twoInSummer.plus(Duration.ofHours(3)));
                    run = run.plus(window)) {
                assertThat(aligned.isOver(run, run.plus(window)))
                        .as("%s after %s", window, run)
                        .isTrue();
                assertThat(aligned.isOver(run, run.plus(window.dividedBy(2))))
                        .as("half of %s after %s", window, run)
                        .isFalse();
            }
        }
    }

    @Test
    void longerWindowLastsUntilItsEndByTheClock() {
        OncePer shifts = OncePer.of(Duration.ofHours(2)).alignedIn(ZoneId.of("Europe/Berlin"));
        Instant twoInSummer = Instant.parse("2026-10-25T00:00:00Z");
        Instant fourInWinter = Instant.parse("2026-10-25T03:00:00Z");

        assertThat(shifts.isOver(twoInSummer, fourInWinter.minus(Duration.ofMinutes(2))))
                .isFalse();
        assertThat(shifts.isOver(twoInSummer, fourInWinter)).isTrue();
        OncePer daily = OncePer.of(Duration.ofDays(1)).alignedIn(ZoneId.of("America/Havana"));
        Instant firstMidnight = Instant.parse("2026-11-01T04:00:00Z");
        assertThat(daily.isOver(firstMidnight, firstMidnight.plus(Duration.ofHours(1))))
                .as("midnight strikes twice")
                .isFalse();
        OncePer hourly = OncePer.of(Duration.ofHours(1)).alignedIn(ZoneId.of("Europe/Berlin"));
        Instant oneInWinter = Instant.parse("2026-03-29T00:00:00Z");
        assertThat(hourly.isOver(oneInWinter, oneInWinter.plus(Duration.ofHours(1))))
                .as("the clock is set forward")
                .isTrue();
    }

    @Test
    void windowThatBeginsInASkippedHourBeginsAfterIt() {
        Instant threeInSummer = Instant.parse("2026-03-29T01:00:00Z");
        for (int minutes : List.of(40, 80)) {
            OncePer aligned = OncePer.of(Duration.ofMinutes(minutes)).alignedIn(ZoneId.of("Europe/Berlin"));
            Instant last = threeInSummer.minus(Duration.ofDays(1));
            int runs = 0;
            for (int minute = 0; minute < 480; minute++) {
                Instant now = threeInSummer.plus(Duration.ofMinutes(minute));
                if (aligned.isOver(last, now)) {
                    runs++;
                    last = now;
                }
            }
            assertThat(runs).as("runs of %s minutes in 8 hours", minutes).isBetween(480 / minutes, 480 / minutes + 2);
        }
    }

    @Test
    void weekBeginsOnMonday() {
        OncePer weekly = OncePer.of(Duration.ofDays(7)).alignedIn(ZoneOffset.UTC);
        Instant sunday = Instant.parse("2026-03-01T12:00:00Z");

        assertThat(weekly.isOver(sunday, NOON)).isTrue();
        assertThat(weekly.isOver(NOON, Instant.parse("2026-03-08T12:00:00Z"))).isFalse();
    }

    @Test
    void runInTheFarFutureDoesNotCount() {
        assertThat(HOURLY.isOver(NOON.plusSeconds(1_800), NOON))
                .as("the clock of another leader")
                .isFalse();
        assertThat(HOURLY.isOver(NOON.plusSeconds(3_601), NOON))
                .as("a wrong clock")
                .isTrue();
        assertThat(HOURLY.alignedIn(ZoneOffset.UTC).isOver(NOON.plusSeconds(1_800), NOON))
                .isFalse();
    }

    @Test
    void badValuesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OncePer.of(Duration.ZERO))
                .withMessageContaining("The window 0 s is not between 1 ms and 3660 days");
        assertThatIllegalArgumentException().isThrownBy(() -> OncePer.of(Duration.ofDays(4_000)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HOURLY.tolerating(Duration.ofHours(1)))
                .withMessageContaining("The tolerance 1 h is not between zero and the window 1 h");
        assertThatIllegalArgumentException().isThrownBy(() -> HOURLY.tolerating(Duration.ofNanos(-1)));
    }

    @Test
    void isAValue() {
        OncePer same = OncePer.of(Duration.ofMinutes(60));
        assertThat(same).isEqualTo(HOURLY).hasSameHashCodeAs(HOURLY).hasToString(HOURLY.toString());
        assertThat(HOURLY)
                .hasToString("once per 1 h, tolerance 36 s")
                .isNotEqualTo(HOURLY.counting(OncePer.Counting.SUCCEEDED))
                .isNotEqualTo(HOURLY.alignedIn(ZoneOffset.UTC));
        assertThat(HOURLY.counting(OncePer.Counting.SUCCEEDED).counting()).isEqualTo(OncePer.Counting.SUCCEEDED);
    }
}
