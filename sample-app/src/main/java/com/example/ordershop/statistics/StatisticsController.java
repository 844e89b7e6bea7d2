package com.example.ordershop.statistics;

import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/statistics")
final class StatisticsController {

    private final StatisticsDesk desk;
    private final ReportDesk reports;

    StatisticsController(StatisticsDesk desk, ReportDesk reports) {
        this.desk = desk;
        this.reports = reports;
    }

    @GetMapping
    Statistics ofDay(@RequestParam(required = false) @Nullable LocalDate day) {
        return desk.of(day == null ? LocalDate.now(ZoneId.systemDefault()) : day);
    }

    @GetMapping("/report")
    Report report() {
        return reports.report();
    }
}
