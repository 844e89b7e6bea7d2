-- snippet:order-stats
create table order_stats (order_day date primary key, total bigint not null, fence bigint not null);
-- end:order-stats
-- snippet:fence
create table fence (lock_name varchar(512) primary key, token bigint not null);
-- end:fence
create table invoice (id bigint generated always as identity primary key, order_day date not null, cents bigint not null);
create table daily_report (report_day date primary key, total bigint not null, version bigint not null, fence bigint not null);
create table document (id varchar(100) primary key, content varchar(1000) not null, fence bigint not null);
