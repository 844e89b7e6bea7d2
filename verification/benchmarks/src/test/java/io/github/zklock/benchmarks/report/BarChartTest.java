package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BarChartTest {

    @Test
    void barIsAsLongAsItsValue() throws Exception {
        List<Double> bars = bars(Figure.RATE, 10, 20);

        assertThat(bars.get(1)).isEqualTo(2 * bars.get(0));
    }

    @Test
    void zeroIsDrawnAsTheShortestBar() throws Exception {
        assertThat(bars(Figure.LEFT, 0, 0)).containsExactly(1.0, 1.0);
        assertThat(bars(Figure.LEFT, 0, 5).get(0)).isEqualTo(1);
    }

    @Test
    void chartStatesWhatIsBetter() {
        assertThat(BarChart.svg(outcome(Figure.RATE, 1))).contains("per second, more is better");
        assertThat(BarChart.svg(outcome(Figure.LEFT, 1))).contains("nodes left, less is better");
    }

    /** Returns the widths of all bars, as an XML parser reads them. */
    private static List<Double> bars(Figure figure, double... values) throws Exception {
        byte[] svg = BarChart.svg(outcome(figure, values)).getBytes(StandardCharsets.UTF_8);
        NodeList drawn = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg))
                .getElementsByTagName("rect");
        List<Double> widths = new ArrayList<>();
        for (int bar = 0; bar < drawn.getLength(); bar++) {
            widths.add(Double.valueOf(((Element) drawn.item(bar)).getAttribute("width")));
        }
        return widths;
    }

    private static Outcome outcome(Figure figure, double... values) {
        List<Entry> entries = new ArrayList<>();
        for (int entry = 0; entry < values.length; entry++) {
            entries.add(new Entry("entry " + entry, context -> {
                throw new UnsupportedOperationException();
            }));
        }
        Outcome outcome = new Outcome(Workload.of("id", "A title", "Why?", List.of(figure), entries));
        for (int entry = 0; entry < values.length; entry++) {
            outcome.add("entry " + entry, Figures.of(figure, values[entry]));
        }
        return outcome;
    }
}
