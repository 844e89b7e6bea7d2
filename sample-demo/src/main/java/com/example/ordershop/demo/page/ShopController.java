package com.example.ordershop.demo.page;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.job.JobRunRepository;
import com.example.ordershop.job.JobRunRepository.JobRun;
import com.example.ordershop.stock.ProductRepository;
import io.github.zklock.event.LockLostEvent;
import io.github.zklock.fence.JdbcFence;
import java.security.Principal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The state of this instance, for the page. */
@RestController
class ShopController {

    /**
     * The state of this instance.
     *
     * @param lateWrites number of transactions that the fence has rejected in this instance
     * @param lateWrite the latest of them; null if there is none
     * @param user name of the account that sent the request; null for a visitor
     */
    record Shop(
            String instance,
            int port,
            long pid,
            List<Product> products,
            List<JobRun> jobRuns,
            List<Loss> losses,
            long lateWrites,
            @Nullable LateWrite lateWrite,
            @Nullable String user) {}

    record Product(String name, long priceCents) {}

    record Loss(String name, String reason, Instant at) {}

    /** Tokens are strings in JSON, because they exceed the numbers of JavaScript. */
    record LateWrite(String lock, String token, String laterToken) {

        static LateWrite of(io.github.zklock.fence.LateWrite late) {
            return new LateWrite(
                    late.lock().value(),
                    late.token().toString(),
                    late.laterToken().toString());
        }
    }

    private static final int SHOWN_LOSSES = 20;

    private final ShopProperties properties;
    private final ProductRepository products;
    private final JobRunRepository jobRuns;
    private final JdbcFence fence;
    private final ConcurrentLinkedDeque<Loss> losses = new ConcurrentLinkedDeque<>();
    private volatile int port;

    ShopController(ShopProperties properties, ProductRepository products, JobRunRepository jobRuns, JdbcFence fence) {
        this.properties = properties;
        this.products = products;
        this.jobRuns = jobRuns;
        this.fence = fence;
    }

    @EventListener
    void listening(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    /** Prints the address of the shop as the last line of the start. */
    @EventListener(ApplicationReadyEvent.class)
    void printAddress() {
        System.out.println("The shop is open: http://localhost:" + port);
    }

    @EventListener
    void add(LockLostEvent event) {
        losses.addFirst(new Loss(event.name().value(), event.reason(), Instant.now()));
        if (losses.size() > SHOWN_LOSSES) {
            losses.pollLast();
        }
    }

    @GetMapping("/shop")
    Shop shop(@Nullable Principal visitor) {
        List<Product> offered = products.findAll().stream()
                .map(product -> new Product(product.name(), product.priceCents()))
                .sorted(Comparator.comparing(Product::name))
                .toList();
        return new Shop(
                properties.instance(),
                port,
                ProcessHandle.current().pid(),
                offered,
                jobRuns.latest(),
                List.copyOf(losses),
                fence.rejected(),
                fence.latest().map(LateWrite::of).orElse(null),
                visitor == null ? null : visitor.getName());
    }
}
