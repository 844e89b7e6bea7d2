package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 31, 32, 63, 64, 65, 127, 128, 1_000, 123_456_789, Long.MAX_VALUE})
    void errorIsAboutThreePercent(long nanos) {
        Histogram histogram = new Histogram();

        histogram.add(nanos);

        assertThat(histogram.quantile(1)).isGreaterThanOrEqualTo(nanos).isCloseTo(nanos, withinPercentage(3.2));
    }

    @Test
    void quantileIsFound() {
        Histogram histogram = new Histogram();
        for (int nanos = 1; nanos <= 10_000; nanos++) {
            histogram.add(nanos);
        }

        assertThat(histogram.quantile(0.5)).isCloseTo(5_000, withinPercentage(3.2));
        assertThat(histogram.quantile(0.999)).isCloseTo(9_990, withinPercentage(3.2));
    }

    @Test
    void histogramsAreAdded() {
        Histogram one = new Histogram();
        one.add(10);
        Histogram other = new Histogram();
        other.add(20);
        other.add(30);

        one.add(other);

        assertThat(one.total()).isEqualTo(3);
        assertThat(one.quantile(0.5)).isEqualTo(20);
        assertThat(one.quantile(1)).isEqualTo(30);
    }

    @Test
    void emptyHistogramHasQuantileZero() {
        assertThat(new Histogram().quantile(0.5)).isZero();
    }
}
