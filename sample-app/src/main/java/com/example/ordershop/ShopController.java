package com.example.ordershop;

import com.example.ordershop.job.JobRun;
import com.example.ordershop.job.JobRuns;
import com.example.ordershop.stock.Catalogue;
import com.example.ordershop.stock.Product;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the page shows of this instance. */
@RestController
final class ShopController {

    /**
     * An instance of the shop.
     *
     * @param user name of the account that sent the request; null for a visitor
     */
    record Shop(
            String instance,
            int port,
            long pid,
            List<Product> products,
            List<JobRun> jobRuns,
            List<Losses.Loss> losses,
            @Nullable String user) {}

    private final ShopProperties properties;
    private final Opening opening;
    private final Catalogue catalogue;
    private final JobRuns jobRuns;
    private final Losses losses;

    ShopController(ShopProperties properties, Opening opening, Catalogue catalogue, JobRuns jobRuns, Losses losses) {
        this.properties = properties;
        this.opening = opening;
        this.catalogue = catalogue;
        this.jobRuns = jobRuns;
        this.losses = losses;
    }

    @GetMapping("/shop")
    Shop shop(@Nullable Principal visitor) {
        return new Shop(
                properties.instance(),
                opening.port(),
                ProcessHandle.current().pid(),
                catalogue.products(),
                jobRuns.latest(),
                losses.latest(),
                visitor == null ? null : visitor.getName());
    }
}
