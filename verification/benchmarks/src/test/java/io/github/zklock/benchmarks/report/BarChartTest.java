package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BarChartTest {

    @Test
    void aBarIsAsLongAsItsValue() throws Exception {
        List<Double> bars = bars("rate", 10, 20);

        assertThat(bars.get(1)).isEqualTo(2 * bars.get(0));
    }

    @Test
    void distantValuesHaveALogarithmicScale() throws Exception {
        List<Double> bars = bars("rate", 10, 1_000, 100_000);

        assertThat(bars.get(2) - bars.get(1)).isCloseTo(bars.get(1) - bars.get(0), within());
    }

    @Test
    void zeroIsDrawnAsTheShortestBar() throws Exception {
        assertThat(bars("left", 0, 0)).containsExactly(1.0, 1.0);
        assertThat(bars("left", 0, 5).get(0)).isEqualTo(1);
        assertThat(bars("left", 0, 5, 100_000).get(0)).isEqualTo(1);
    }

    @Test
    void chartStatesWhatIsBetter() {
        assertThat(new BarChart(outcome("rate", 1)).svg()).contains("per second, more is better");
        assertThat(new BarChart(outcome("left", 1)).svg()).contains("nodes left, less is better");
    }

    private static Offset<Double> within() {
        return Offset.offset(0.2);
    }

    /** Returns the widths of all bars, as an XML parser reads them. */
    private static List<Double> bars(String figure, double... values) throws Exception {
        byte[] svg = new BarChart(outcome(figure, values)).svg().getBytes(StandardCharsets.UTF_8);
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

    private static Outcome outcome(String figure, double... values) {
        List<Entry> entries = new ArrayList<>();
        for (int entry = 0; entry < values.length; entry++) {
            entries.add(new Entry("entry " + entry, entry == 0, context -> {
                throw new UnsupportedOperationException();
            }));
        }
        Outcome outcome = new Outcome(
                new Workload("id", "A title", "Why?", entries, List.of(figure), List.of(), Integer.MAX_VALUE, false));
        for (int entry = 0; entry < values.length; entry++) {
            outcome.add("entry " + entry, new Figures(Map.of(figure, values[entry])));
        }
        return outcome;
    }
}
