package com.example.ordershop.export;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.order.OrderRepository;
import io.github.zklock.annotation.DistributedLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Service;

/** Writes the orders of a day to a file in a directory that all instances share. */
@Service
class ExportService {

    record Export(LocalDate day, String file, int orders) {}

    private final OrderRepository orders;
    private final Path directory;

    ExportService(OrderRepository orders, ShopProperties shop) {
        this.orders = orders;
        this.directory = shop.exportDirectory();
    }

    /**
     * Exports a day under a lock of that day. The request thread does not wait for the lock: a thread of zk-lock runs this
     * method after it has acquired the lock, and the lock is held until the future completes.
     *
     * <p>A file has no fence: a holder that was paused until its session expired still writes. If stale files must not
     * appear, add the fencing token to the file name.
     */
    @DistributedLock("/exports/#{#day}")
    CompletableFuture<Export> export(LocalDate day) {
        List<String> lines = new ArrayList<>(List.of("order,product,quantity,cents,completed"));
        orders.ofDay(day)
                .forEach(order -> lines.add("%d,%s,%d,%d,%b"
                        .formatted(
                                order.id(),
                                order.product(),
                                order.quantity(),
                                order.amountCents(),
                                order.completed())));
        try {
            Path file = Files.write(Files.createDirectories(directory).resolve(day + ".csv"), lines);
            return CompletableFuture.completedFuture(new Export(day, file.toString(), lines.size() - 1));
        } catch (IOException e) {
            throw new UncheckedIOException("Orders of " + day + " not exported to " + directory, e);
        }
    }
}
