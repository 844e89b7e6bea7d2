package com.example.ordershop.statistics;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.LocalDate;
import java.util.List;

/**
 * The statistics of a day beside the truth.
 *
 * @param refused how many writes of that day the database has refused
 */
record Statistics(
        LocalDate day, List<Row> rows, long orders, long amountCents, Totals truth, boolean right, long refused) {

    /** @param fence token of the latest guarded write; as text, because it has more digits than a number of JavaScript */
    record Row(
            String product,
            long orders,
            long amountCents,
            @JsonFormat(shape = JsonFormat.Shape.STRING) long fence) {}

    static Statistics of(LocalDate day, List<Row> rows, Totals truth, long refused) {
        Totals counted = new Totals(
                rows.stream().mapToLong(Row::orders).sum(),
                rows.stream().mapToLong(Row::amountCents).sum());
        return new Statistics(
                day, rows, counted.orders(), counted.amountCents(), truth, counted.equals(truth), refused);
    }
}
