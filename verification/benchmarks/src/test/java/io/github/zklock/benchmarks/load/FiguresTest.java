package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void parseReadsWhatToStringWrites() {
        Figures figures = new Figures(Map.of(Figures.RATE, 1234.5, Figures.MEDIAN, 1e-7, "heap", 5e12));

        assertThat(Figures.parse(figures.toString())).isEqualTo(figures);
    }

    @Test
    void togetherAddsRatesAndTakesTheWorstOfTheRest() {
        Figures one = new Figures(Map.of(Figures.RATE, 10.0, Figures.COUNT, 20.0, Figures.P99, 5.0));
        Figures other = new Figures(Map.of(Figures.RATE, 30.0, Figures.COUNT, 60.0, Figures.P99, 2.0));

        Figures together = Figures.together(List.of(one, other));

        assertThat(together.get(Figures.RATE)).isEqualTo(40);
        assertThat(together.get(Figures.COUNT)).isEqualTo(80);
        assertThat(together.get(Figures.P99)).isEqualTo(5);
        // ten where each would have had twenty
        assertThat(together.get(Figures.LEAST_SHARE)).isEqualTo(0.5);
        assertThat(together.get(Figures.MOST_SHARE)).isEqualTo(1.5);
    }

    @Test
    void parseRejectsOtherWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Figures.parse("rate=1.0 ready"))
                .withMessage("'ready' in 'rate=1.0 ready' is no name=value");
    }

    @Test
    void getNamesTheMissingFigure() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Figures(Map.of("heap", 1.0)).get("rate"))
                .withMessage("No 'rate' in heap=1.0");
    }
}
