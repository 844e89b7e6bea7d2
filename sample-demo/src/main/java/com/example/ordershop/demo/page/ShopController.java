package com.example.ordershop.demo.page;

import com.example.ordershop.ShopProperties;
import com.example.ordershop.job.JobRunRepository;
import com.example.ordershop.job.JobRunRepository.JobRun;
import com.example.ordershop.stock.ProductRepository;
import java.security.Principal;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The state of this instance, for the page. */
@RestController
final class ShopController {

    /** @param user name of the account that sent the request; null for a visitor */
    record Shop(
            String instance,
            int port,
            long pid,
            List<Product> products,
            List<JobRun> jobRuns,
            List<LockLosses.Loss> losses,
            @Nullable String user) {}

    record Product(String name, long priceCents) {}

    private final ShopProperties properties;
    private final StartupMessage startup;
    private final ProductRepository products;
    private final JobRunRepository jobRuns;
    private final LockLosses losses;

    ShopController(
            ShopProperties properties,
            StartupMessage startup,
            ProductRepository products,
            JobRunRepository jobRuns,
            LockLosses losses) {
        this.properties = properties;
        this.startup = startup;
        this.products = products;
        this.jobRuns = jobRuns;
        this.losses = losses;
    }

    @GetMapping("/shop")
    Shop shop(@Nullable Principal visitor) {
        List<Product> offered = products.findAll().stream()
                .map(product -> new Product(product.name(), product.priceCents()))
                .sorted(Comparator.comparing(Product::name))
                .toList();
        return new Shop(
                properties.instance(),
                startup.port(),
                ProcessHandle.current().pid(),
                offered,
                jobRuns.latest(),
                losses.latest(),
                visitor == null ? null : visitor.getName());
    }
}
