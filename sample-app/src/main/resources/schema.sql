-- for H2 (MODE=PostgreSQL) and PostgreSQL; every statement may run again

create table if not exists product (
  name        varchar(40) primary key,
  price_cents bigint not null,
  left_over   int    not null,
  fence       bigint not null default 0 -- token of the latest write; a write with a lower token is rejected
);

create table if not exists orders (
  id           bigint generated always as identity primary key,
  sales_day    date        not null,
  product      varchar(40) not null references product,
  quantity     int         not null,
  amount_cents bigint      not null,
  completed    boolean     not null default false
);
create index if not exists orders_by_day on orders (sales_day);

create table if not exists order_stats (
  sales_day    date        not null,
  product      varchar(40) not null references product,
  orders       bigint      not null,
  amount_cents bigint      not null,
  primary key (sales_day, product)
);

create table if not exists closed_day (
  sales_day    date   primary key,
  orders       bigint not null,
  amount_cents bigint not null
);

create table if not exists job_run (
  id          bigint generated always as identity primary key,
  instance    varchar(80) not null,
  ran_at      timestamp with time zone not null,
  open_orders bigint not null
);

insert into product (name, price_cents, left_over)
values ('tea', 350, 1000), ('coffee', 420, 1000), ('cake', 590, 1000)
on conflict do nothing;
