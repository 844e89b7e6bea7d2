package com.example.ordershop.statistics;

import com.example.ordershop.statistics.ReportService.Report;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/statistics")
record StatisticsController(StatisticsService statistics, ReportService reports) {

    @GetMapping
    List<StatisticsRow> ofDay(@RequestParam(required = false) @Nullable LocalDate day) {
        return statistics.ofDay(day == null ? LocalDate.now(ZoneId.systemDefault()) : day);
    }

    @GetMapping("/report")
    Report report() {
        return reports.report();
    }
}
