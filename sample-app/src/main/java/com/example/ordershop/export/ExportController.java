package com.example.ordershop.export;

import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ExportController {

    private final Exporter exporter;

    ExportController(Exporter exporter) {
        this.exporter = exporter;
    }

    @PostMapping("/exports/{day}")
    CompletableFuture<Export> export(@PathVariable LocalDate day) {
        return exporter.export(day);
    }
}
