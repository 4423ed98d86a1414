# GNU units 2.22; money and what its table alone has are left out.

$ units '5 km' miles; units 'tempF(98.6)' tempC; units '1 hour' seconds; units 2km; units '3 ft + 2 in' cm; units '60 mph' 'm/s'; units '1 GiB' MB; units kg m
  	* 3.106856
  	/ 0.3218688
  	37
  	* 3600
  	/ 0.00027777778
          Definition: 2000 m
  	* 96.52
  	/ 0.010360547
  	* 26.8224
  	/ 0.037282272
  	* 1073.7418
  	/ 0.00093132257
  conformability error
  	1 kg
  	1 m
[1]

$ units '5 ft' in; units '1/3 mile' km; units 'm^2' 'ft^2'; units '10 m s' J; units '2 hours 30 minutes' min; units 3; units '1 week' 'day;hour'; units '10000 s' 'hour;min;sec'
  	* 60
  	/ 0.016666667
  	reciprocal conversion
  	* 4.828032
  	/ 0.20712373
  	* 10.76391
  	/ 0.09290304
  conformability error
  	10 m s
  	1 kg m^2 / s^2
  conformability error
  	12960000 s^2
  	60 s
          Definition: 3
  	7 day
  	2 hour + 46 min + 40 sec

$ units degC K; units '50 degF' K; units '1 gallon' liters; units foo bar; units kWh J; units '1 byte' bits; units 'tempC(20)'; units '9.81 m/s^2' 'ft/s^2'
  	* 1
  	/ 1
  	* 27.777778
  	/ 0.036
  	* 3.7854118
  	/ 0.26417205
  Unknown unit 'foo'
  	* 3600000
  	/ 2.7777778e-07
  	* 8
  	/ 0.125
          Definition: 293.15 K
  	* 32.185039
  	/ 0.031070336

$ units m/s s/m; units 'sqrt(2) m' cm; units pi; units '1 acre' 'm^2'; units lb kg; units '1e3 g' kg; units '5 m' '5 ft'; units '2^10 bytes' KiB
  	reciprocal conversion
  	* 1
  	/ 1
  	* 141.42136
  	/ 0.0070710678
          Definition: 3.1415927
  	* 4046.8564
  	/ 0.00024710538
  	* 0.45359237
  	/ 2.2046226
  	* 1
  	/ 1
  	* 3.2808399
  	/ 0.3048
  	* 1
  	/ 1

$ units '1 year' days; units fortnight days; units 'lightyear' km; units c m/s; units 'meters per second' kph; units '20 percent'; units '1 atm' psi; units bar kPa
  	* 365.2422
  	/ 0.0027379093
  	* 14
  	/ 0.071428571
  	* 9.4607305e+12
  	/ 1.0570008e-13
  	* 2.9979246e+08
  	/ 3.335641e-09
  	* 3.6
  	/ 0.27777778
          Definition: 0.2
  	* 14.695949
  	/ 0.068045964
  	* 100
  	/ 0.01

$ units eV J; units avogadro; units '1 stone' lb; units '1 cup' ml; units hp W; units km/hour mph; units nm inch; units GB GiB
  	* 1.6021766e-19
  	/ 6.2415091e+18
          Definition: 6.02214076e23 / mol = 6.0221408e+23 / mol
  	* 14
  	/ 0.071428571
  	* 236.58824
  	/ 0.0042267528
  	* 745.69987
  	/ 0.0013410221
  	* 0.62137119
  	/ 1.609344
  	* 3.9370079e-08
  	/ 25400000
  	* 0.93132257
  	/ 1.0737418

$ units 'Gbit/s' 'MB/s'; units 5 inches; units -t '5 km' miles; units -1 '5 km' miles; units -v '5 km' miles; units -t '1000 s' 'min;s'; units -d 4 '5 km' miles; units -t 'tempC(100)' tempF
  	* 125
  	/ 0.008
  conformability error
  	5
  	0.0254 m
  3.106856
  	* 3.106856
  	5 km = 3.106856 miles
  	5 km = (1 / 0.3218688) miles
  16;40
  	* 3.107
  	/ 0.3219
  212

$ units 'tempK(300)' tempC; units 'tempC(20)' tempF; units '100 lb' kg; units '6 ft + 2 in' 'ft;in'; units '70 inches' 'ft;in'; units '1 mile' m; units 1 ''; units '1|2 cup' tbsp
  	26.85
  	68
  	* 45.359237
  	/ 0.022046226
  	6 ft + 2 in
  	5 ft + 10 in
  	* 1609.344
  	/ 0.00062137119
  	* 1
  	/ 1
  	* 8
  	/ 0.125

$ units '3 tablespoons' ml; units '1 knot' mph; units '(2+3) m' ft; units '5 m2' ft2; units 'W hr' J; units joule calorie; units '1 au' km; units ly au
  	* 44.360294
  	/ 0.022542682
  	* 1.1507794
  	/ 0.86897624
  	* 16.404199
  	/ 0.06096
  	* 53.819552
  	/ 0.018580608
  	* 3600
  	/ 0.00027777778
  	* 0.23900574
  	/ 4.184
  	* 1.4959787e+08
  	/ 6.6845871e-09
  	* 63241.077
  	/ 1.5812507e-05

$ units 'parsec' ly; units '1 day' 's'; units centuries years; units 'hectare' 'acres'; units '30 mpg' 'km/liter'; units '30 mpg' 'liters/100km'; units 'psi' 'Pa'; units '1 TB' GiB
  	* 3.2615638
  	/ 0.30660139
  	* 86400
  	/ 1.1574074e-05
  	* 100
  	/ 0.01
  	* 2.4710538
  	/ 0.40468564
  	* 12.754311
  	/ 0.078404861
  	reciprocal conversion
  	* 7.8404861
  	/ 0.12754311
  	* 6894.7573
  	/ 0.00014503774
  	* 931.32257
  	/ 0.0010737418

$ units '100 Mbps' 'MB/s'; units m ; units kg; units '1 kilometer' 'meters'; units 'megabyte' 'kilobytes'; units 'N m' J; units '10 %' ; units '5 micrometers' nm
  	* 12.5
  	/ 0.08
          Definition: 1 m
          Definition: 1 kg
  	* 1000
  	/ 0.001
  	* 1000
  	/ 0.001
  	* 1
  	/ 1
          Definition: 0.1
  	* 5000
  	/ 0.0002

$ units '1 light second' m; units horsepower kW; units '2 dozen' ; units 'oz' g; units floz ml; units '1 ton' kg; units '1 tonne' lb; units 'arcmin' degree
  	* 2.9979246e+08
  	/ 3.335641e-09
  	* 0.74569987
  	/ 1.3410221
          Definition: 24
  	* 28.349523
  	/ 0.035273962
  	* 29.57353
  	/ 0.033814023
  	* 907.18474
  	/ 0.0011023113
  	* 2204.6226
  	/ 0.00045359237
  	* 0.016666667
  	/ 60

$ units degree radian; units '1 radian' degrees; units 'rpm' Hz; units 'h' 'J s'
  	* 0.017453293
  	/ 57.29578
  	* 57.29578
  	/ 0.017453293
  	* 0.10471976
  	/ 9.5492966
  	* 6.6260701e-34
  	/ 1.5091902e+33
