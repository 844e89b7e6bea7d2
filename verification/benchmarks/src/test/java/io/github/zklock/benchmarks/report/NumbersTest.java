package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0       | 0
                    3       | 3
                    0.714   | 0.71
                    19.44   | 19.4
                    862858.4 | 862,858
                    -12.34  | -12.3
                    """)
    void largeNumbersHaveFewerDecimals(double value, String text) {
        assertThat(Numbers.of(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1.2     | 1.196    | 1.196
                    1.2     | 1.19996  | 1.19996
                    1.2     | 1.2      | 1.20
                    1.2     | 1.5      | 1.50
                    20      | 20.04    | 20.04
                    3       | 2.999    | 2.999
                    10000   | 9999.7   | 9,999.7
                    """)
    void numberDiffersFromACloseBound(double bound, double value, String text) {
        assertThat(Numbers.beside(bound, value)).isEqualTo(text);
    }
}
