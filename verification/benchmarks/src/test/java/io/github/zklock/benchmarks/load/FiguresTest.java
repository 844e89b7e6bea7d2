package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void parseReadsWhatToStringWrites() {
        Figures figures =
                Figures.of(Figure.RATE, 1234.5).and(Figure.MEDIAN, 1e-7).and(Figure.BYTES, 5e12);

        assertThat(Figures.parse(figures.toString())).isEqualTo(figures);
    }

    @Test
    void togetherAddsRatesAndTakesTheWorstOfTheRest() {
        Figures one = Figures.of(Figure.RATE, 10).and(Figure.COUNT, 20).and(Figure.P99, 5);
        Figures other = Figures.of(Figure.RATE, 30).and(Figure.COUNT, 60).and(Figure.P99, 2);

        Figures together = Figures.together(List.of(one, other));

        assertThat(together.get(Figure.RATE)).isEqualTo(40);
        assertThat(together.get(Figure.COUNT)).isEqualTo(80);
        assertThat(together.get(Figure.P99)).isEqualTo(5);
        // ten where each would have had twenty
        assertThat(together.get(Figure.LEAST_SHARE)).isEqualTo(0.5);
        assertThat(together.get(Figure.MOST_SHARE)).isEqualTo(1.5);
    }

    @Test
    void parseRejectsOtherWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Figures.parse("RATE=1.0 ready"))
                .withMessage("'ready' is not of the form name=value");
    }

    @Test
    void getNamesTheMissingFigure() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Figures.of(Figure.BYTES, 1).get(Figure.RATE))
                .withMessage("No RATE in BYTES=1.0");
    }
}
