package com.example.ordershop.export;

import com.example.ordershop.ShopProperties;
import io.github.zklock.annotation.DistributedLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Writes the orders of a day to a file that all instances share. */
@Service
class Exporter {

    private static final String ORDERS = """
            select id, product, quantity, amount_cents, completed from orders
            where sales_day = :day order by id""";

    private final JdbcClient jdbc;
    private final Path directory;

    Exporter(JdbcClient jdbc, ShopProperties shop) {
        this.jdbc = jdbc;
        this.directory = shop.exportDirectory();
    }

    /**
     * Exports a day under a lock of that day, so that two instances do not write into the same file; other days go on
     * meanwhile. No thread waits for the lock: the caller's goes back to serve other requests, and the export runs on one of
     * zk-lock's when its turn has come. The lock is held until the future is complete.
     *
     * <p>A file knows no fence: who is paused for too long still writes, and leaves an older export behind until the next
     * one. Where that will not do, have the token in the name of the file.
     */
    @DistributedLock("/exports/#{#day}")
    CompletableFuture<Export> export(LocalDate day) {
        List<String> lines = linesOf(day);
        return CompletableFuture.completedFuture(
                new Export(day, write(day, lines).toString(), lines.size()));
    }

    private List<String> linesOf(LocalDate day) {
        return jdbc.sql(ORDERS)
                .param("day", day)
                .query((row, number) -> "%d,%s,%d,%d,%b"
                        .formatted(
                                row.getLong("id"),
                                row.getString("product"),
                                row.getInt("quantity"),
                                row.getLong("amount_cents"),
                                row.getBoolean("completed")))
                .list();
    }

    private Path write(LocalDate day, List<String> lines) {
        List<String> text = new ArrayList<>(lines);
        text.add(0, "order,product,quantity,cents,completed");
        try {
            return Files.write(Files.createDirectories(directory).resolve(day + ".csv"), text);
        } catch (IOException e) {
            throw new UncheckedIOException("Orders of " + day + " not exported to " + directory, e);
        }
    }
}
