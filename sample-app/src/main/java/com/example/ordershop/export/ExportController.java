package com.example.ordershop.export;

import com.example.ordershop.export.ExportService.Export;
import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
record ExportController(ExportService exports) {

    @PostMapping("/exports/{day}")
    CompletableFuture<Export> export(@PathVariable LocalDate day) {
        return exports.export(day);
    }
}
